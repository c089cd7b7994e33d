import { describe, expect, test } from 'vitest';
import { getProjectFileCompletions } from '../../../../src/json/language/completeProjectFile.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { context, removeCaret } from './support.ts';

type Kind = Parameters<typeof getProjectFileCompletions>[0];

function getLabelsAt(kind: Kind, marked: string): readonly string[] {
  const { text, offset } = removeCaret(marked);
  return getProjectFileCompletions(kind, parseJsonTree(text), offset, {
    model: context.model,
    datasets: ['Sales', 'Stock'],
  }).items.map(({ label }) => label);
}

describe('names in the files of a project are proposed', () => {
  test.each<[Kind, string, string]>([
    ['relation', '{"columns": [{"table": "|"}]}', 'Orders'],
    ['relation', '{"columns": [{"table": |, "column": "Status"}]}', 'Orders'],
    ['relation', '{"columns": [{"table": "Orders", "column": "|"}]}', 'Status'],
    ['table', '{"dataset": "|"}', 'Sales'],
    ['table', '{"buildBehavior": {"config": {"$ref": {"table": "Orders", "column": "|"}}}}', 'Status'],
    ['dataset', '{"x": {"$ref": {"dataset": "|"}}}', 'Stock'],
    ['datamodel', '{"x": [{"$ref": {"table": "|"}}]}', 'Orders'],
  ])('in a %s: %s', (kind, marked, label) => {
    expect(getLabelsAt(kind, marked)).toContain(label);
  });

  test.each<[Kind, string]>([
    ['relation', '{"table": "|"}'],
    ['relation', '{"columns": [{"other": "|"}]}'],
    ['relation', '{"columns": [{"table": |1}]}'],
    ['relation', '{"columns": [{"table": "Nope", "column": "|"}]}'],
    ['table', '{"columns": [{"dataset": "|"}]}'],
    ['table', '{"name": "|"}'],
    ['datamodel', '{"dataset": "|"}'],
  ])('but not in a %s: %s', (kind, marked) => {
    expect(getLabelsAt(kind, marked)).toEqual([]);
  });
});
