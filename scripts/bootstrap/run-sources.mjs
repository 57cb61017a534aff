// Preloaded by `node --import` to run TypeScript sources without a build: Node strips the types, but does not resolve `./x.js` to `./x.ts`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return nextResolve(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
