import { projectRoot } from '../../../src/launcher/projectRoot.ts';

/** The extension that the tests look at: the checkout's, unless the environment names another folder. */
export const extensionFolder: string = process.env['DATAMODEL_STUDIO_EXTENSION'] || projectRoot;
