/** Fields that are left out because others determine them. */
const omittedFields = new Set(['operatorStart', 'operatorEnd', 'keywordOffset', 'role', 'type']);

interface PartialNode extends Readonly<Record<string, unknown>> {
  readonly start?: number;
  readonly end?: number;
  readonly kind?: string;
}

/**
 * Writes a syntax tree as one line: nodes with their kind, range, and fields, and names, columns, and literals as their
 * text. Fields that are empty, false, or missing are left out.
 */
export function formatTree(node: unknown, text: string): string {
  if (Array.isArray(node)) {
    return `[${node.map((item) => formatTree(item, text)).join(', ')}]`;
  }
  if (typeof node !== 'object' || node === null) {
    return String(node);
  }
  const { start, end, kind, ...fields } = node as PartialNode;
  const range = start === undefined || end === undefined ? undefined : { start, end };
  const source = range === undefined ? '' : text.slice(range.start, range.end);
  if (kind === 'missing' || fields['missing'] === true) {
    return `?${range?.start ?? ''}`;
  }
  if (kind === 'column' || kind === 'literal' || kind === 'star' || kind === 'word' || 'quote' in fields) {
    return source;
  }
  const parts = Object.entries(fields)
    .filter(([key, field]) => !omittedFields.has(key) && !isEmpty(field))
    .map(([key, field]) => (field === true ? key : `${key} ${formatTree(field, text)}`));
  const kindText = kind === undefined ? '' : `${kind} `;
  if (parts.length === 0) {
    return kindText + source;
  }
  return `${kindText}${range === undefined ? '' : `${range.start}-${range.end} `}{ ${parts.join(', ')} }`;
}

const isEmpty = (field: unknown): boolean =>
  field === undefined || field === false || field === -1 || (Array.isArray(field) && field.length === 0);
