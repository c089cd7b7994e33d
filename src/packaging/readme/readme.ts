/** Matches the section for contributors, up to the next heading. */
const developersSectionPattern = /^## Developing$.*?(?=^## )/ms;

/** Matches the section with links to the pages in `docs`. */
const documentationSectionPattern = /^## Documentation$.*?(?=^## )/ms;

/** Matches a paragraph that starts with "See" and a link to another page. */
const linkParagraphPattern = /^See \[[^\]]*\]\((?!https:)[^\n]*\n\n?/gm;

/** Matches a link to a section of the reference, up to the name of the section. */
const referenceLinkPattern = /\]\(docs\/reference\.md(?=#)/g;

const imagePattern = /!\[([^\]]*)\]\((?!https:)([^)]+)\)/g;

/** Converts a page to a section: lowers its headings by one level, and replaces links to other pages by their text. */
const createSection = (page: string): string =>
  page
    .replace(/^#+ /gm, '#$&')
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1')
    .trimEnd()
    .concat('\n\n');

/**
 * Creates the README of the package from the sections for users. VS Code's page of an extension does not load images
 * with a relative path, so they are embedded. Links to the pages in `docs` don't work there, so the list of pages is
 * replaced by the reference, links to a section of the reference stay links, and paragraphs that only link to a page
 * are removed.
 * @param readBytes returns the bytes of an image or page by its path
 */
export const createShippedReadme = (text: string, readBytes: (path: string) => Buffer): string =>
  text
    .replace(developersSectionPattern, '')
    .replace(documentationSectionPattern, () =>
      createSection(readBytes('docs/reference.md').toString('utf8')),
    )
    .replace(linkParagraphPattern, '')
    .replaceAll(referenceLinkPattern, '](')
    .replace(
      imagePattern,
      (_, altText: string, path: string) =>
        `![${altText}](data:image/png;base64,${readBytes(path).toString('base64')})`,
    );
