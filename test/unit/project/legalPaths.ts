/**
 * Finds a path that is illegal on Windows or Unix, or that one of them treats as equal to another path. Implements the
 * rules of the systems without code of the product.
 */
export function findPathProblem(paths: readonly string[]): string | undefined {
  const pathsByFoldedText = new Map<string, string>();
  for (const path of paths) {
    const segments = path.split('/');
    const illegal = segments.find((segment) => !isLegalSegment(segment));
    if (illegal !== undefined) {
      return `${JSON.stringify(illegal)} is illegal in ${JSON.stringify(path)}`;
    }
    // Every folder must also be different from all files and from folders in another case.
    for (let length = 1; length <= segments.length; length += 1) {
      const isFile = length === segments.length;
      const prefix = segments.slice(0, length).join('/');
      for (const folded of foldInAllWays(prefix)) {
        const other = pathsByFoldedText.get(folded);
        const identity = isFile ? `file ${prefix}` : `folder ${prefix}`;
        if (other !== undefined && (other !== identity || isFile) && !other.startsWith(`${identity}\0`)) {
          return `${JSON.stringify(identity)} and ${JSON.stringify(other)} are the same for some systems`;
        }
        pathsByFoldedText.set(folded, identity);
      }
    }
  }
  return undefined;
}

/** The ways in which systems compare names; each has its own prefix. */
const foldInAllWays = (text: string): readonly string[] => [
  `nfc ${text.normalize('NFC')}`,
  `nfd ${text.normalize('NFD')}`,
  `lower ${text.normalize('NFD').toLowerCase()}`,
  `upper ${text.normalize('NFD').toUpperCase()}`,
  `simple ${Array.from(text, (character) => getSimpleUpperCase(character)).join('')}`,
  `visible ${text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')}`,
];

/** NTFS compares characters one by one. */
function getSimpleUpperCase(character: string): string {
  const upper = character.toUpperCase();
  return Array.from(upper).length === 1 ? upper : character;
}

const windowsDevices = new Set([
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'CONIN$',
  'CONOUT$',
  ...['COM', 'LPT'].flatMap((name) =>
    Array.from('123456789\u00b9\u00b2\u00b3', (digit) => `${name}${digit}`),
  ),
]);

function isLegalSegment(segment: string): boolean {
  const [base = ''] = segment.split('.');
  return (
    segment !== '' &&
    segment.length <= 255 &&
    Buffer.byteLength(segment) <= 255 &&
    segment.isWellFormed() &&
    segment === segment.normalize('NFC') &&
    !/[<>:"/\\|?*\p{Cc}]/u.test(segment) &&
    !/[. ]$/.test(segment) &&
    !/^[. ]/.test(segment) &&
    !windowsDevices.has(base.trimEnd().toUpperCase()) &&
    // A name that Windows could give to another file as its short name, such as `PROGRA~1`.
    !/^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/.test(segment)
  );
}
