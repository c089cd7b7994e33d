import { type TextSpan, locate } from './jsonText.ts';

/** Where a column stands in the text of its table; `undefined` where the text has none of this oid or cannot be read. */
export function columnSpan(text: string, columnId: string): TextSpan | undefined {
  const index = columnsIn(text).indexOf(columnId);
  return index < 0 ? undefined : locate(text, ['columns', index]);
}

/** The oids of the columns, in their order; none where the text is being changed and cannot be read. */
function columnsIn(text: string): readonly unknown[] {
  try {
    const { columns } = JSON.parse(text) as { columns?: readonly { oid?: unknown }[] };
    return columns?.map(({ oid }) => oid) ?? [];
  } catch {
    return [];
  }
}
