// Preloaded by `node --import` to run TypeScript sources as they are: Node leaves out the types, but takes `./x.js` for what it says.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return nextResolve(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
