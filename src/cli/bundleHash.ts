/** Replaced by the bundler with a hash of the code; undeclared at runtime if the sources run without a build. */
declare const builtId: string | undefined;

/** The hash of the code of this build; `undefined` if the sources run without a build. */
export const bundleHash: string | undefined = typeof builtId === 'string' ? builtId : undefined;
