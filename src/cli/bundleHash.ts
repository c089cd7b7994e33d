/** Replaced with the ID by the bundler; undeclared at runtime if the sources run without a build. */
declare const builtId: string | undefined;

/** Identifies the code of this build; `undefined` if the sources run without a build. Different code has another ID. */
export const bundleHash: string | undefined = typeof builtId === 'string' ? builtId : undefined;
