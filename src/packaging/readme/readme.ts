/** A chapter that is for whoever works on the product, from its heading to the next one. */
const developersChapter = /^## Developing$.*?(?=^## )/ms;

const imagePattern = /!\[([^\]]*)\]\((?!https:)([^)]+)\)/g;

/**
 * The README as the package carries it: what is for users, with its pictures inside. The editor's page of an extension
 * shows no picture of a relative address, only such as are on the web or in the text itself.
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
