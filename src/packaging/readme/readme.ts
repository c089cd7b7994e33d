/** The section for contributors, from its heading to the next one. */
const developersSection = /^## Developing$.*?(?=^## )/ms;

/** The section with links to the pages in `docs`. */
const documentationSection = /^## Documentation$.*?(?=^## )/ms;

/** A paragraph of one line that leads to another page. */
const furtherReading = /^See \[[^\]]*\]\((?!https:)[^\n]*\n\n?/gm;

const imagePattern = /!\[([^\]]*)\]\((?!https:)([^)]+)\)/g;

/** A page as a section of another one: its headings one level lower, and links to other pages as their words. */
const createSection = (page: string): string =>
  page
    .replace(/^#+ /gm, '#$&')
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1')
    .trimEnd()
    .concat('\n\n');

/**
 * The README in the package: the sections for users, with their pictures embedded. VS Code's page of an extension
 * shows no picture with a relative address, only those on the web or in the text itself. Links to the pages in `docs`
 * lead nowhere there: the reference takes the place of their list, and other paragraphs with such a link are left out.
 * @param read the bytes of a picture or page by its path
 */
export const createShippedReadme = (text: string, read: (path: string) => Buffer): string =>
  text
    .replace(developersSection, '')
    .replace(documentationSection, () => createSection(read('docs/reference.md').toString('utf8')))
    .replace(furtherReading, '')
    .replace(
      imagePattern,
      (_, words: string, path: string) =>
        `![${words}](data:image/png;base64,${read(path).toString('base64')})`,
    );
