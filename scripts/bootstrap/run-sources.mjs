// Preloaded with `node --import` to run TypeScript sources directly: Node strips the types, but resolves `./x.js` literally.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return nextResolve(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
