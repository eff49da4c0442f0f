// Named by a variable, so that no bundler looks for a package that need not be there.
export const loadOptional = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ name);
