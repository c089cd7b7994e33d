/** The file that makes a folder a project. */
export const projectFileName = 'datamodel-studio.json';
