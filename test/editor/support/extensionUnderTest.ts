import { projectRoot } from '../../../src/launcher/projectRoot.ts';

/** The folder of the extension under test: the checkout, unless the environment variable is set to another folder. */
export const extensionFolder: string = process.env['DATAMODEL_STUDIO_EXTENSION'] || projectRoot;
