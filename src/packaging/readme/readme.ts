/** The chapter for contributors, from its heading to the next one. */
const developersChapter = /^## Developing$.*?(?=^## )/ms;

const imagePattern = /!\[([^\]]*)\]\((?!https:)([^)]+)\)/g;

/**
 * The README in the package: the chapters for users, with their pictures embedded. The editor's page of an extension
 * shows no picture with a relative address, only those on the web or in the text itself.
 * @param read the bytes of a picture by its path
 */
export const createShippedReadme = (text: string, read: (path: string) => Buffer): string =>
  text
    .replace(developersChapter, '')
    .replace(
      imagePattern,
      (_, words: string, path: string) =>
        `![${words}](data:image/png;base64,${read(path).toString('base64')})`,
    );
