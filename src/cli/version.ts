/** Inserted by the build. */
declare const builtVersion: string | undefined;

/** The version of the product; `development` if the sources run without a build. */
export const version: string = typeof builtVersion === 'string' ? builtVersion : 'development';
