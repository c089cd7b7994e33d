/** Inserted by the build. */
declare const builtId: string | undefined;

/** Identifies the code that runs; `undefined` if the sources run without a build. Two builds that differ have two IDs. */
export const buildId: string | undefined = typeof builtId === 'string' ? builtId : undefined;
