import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the bundles of `prepareIntegrationTests.ts`. */
export const programsFolder: string = join(import.meta.dirname, '../.artifacts/programs');

/** The main module of the sandbox. */
export const sandboxProgram: string = join(programsFolder, 'sandbox.js');

/** Runs one operation and kills itself at a given write. */
export const killedWriterProgram: string = join(programsFolder, 'killedWriter.js');

/** Builds a datamodel of the sandbox. */
export const engineProgram: URL = pathToFileURL(join(programsFolder, 'engineProcess.js'));

/** The folder of `createDemoFolders`. */
export const demoRoot: string = join(import.meta.dirname, '../.artifacts/demo');
