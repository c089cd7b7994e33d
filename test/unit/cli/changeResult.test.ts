import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../src/client/errors.ts';
import { reportStoppedChange, toResultOutput } from '../../../src/cli/changeResult.ts';
import {
  ConflictError,
  MissingRulesError,
  StoppedError,
  UnverifiedError,
} from '../../../src/changes/run/writeErrors.ts';
import type { StoppedDocuments } from '../../../src/changes/journal/stoppedDocuments.ts';
import type { WriteState } from '../../../src/changes/journal/entry.ts';
import { createOperation, createTableRef, createTableUpdate } from '../changes/run/support.ts';

/**
 * Returns what is printed about a change of two tables that stopped after its first write.
 * @param possibleEndings the ways to end the change that would not be refused
 */
async function formatStopped(
  cause: unknown,
  writeStates: readonly WriteState[] = [
    { state: 'done', path: '', ms: 0 },
    { state: 'failed', path: '', ms: 0 },
  ],
  documents: Partial<StoppedDocuments> = {},
  possibleEndings: readonly string[] = ['resume', 'roll-back'],
  neededVariables?: string,
): Promise<string> {
  const report = {
    entryId: 'J',
    operation: createOperation([createTableUpdate('Orders', {}), createTableUpdate('Stores', {})]),
    writeStates,
    documents: [],
  };
  const stopError = new StoppedError(report, cause);
  const { signal } = new AbortController();
  const result = toResultOutput(
    { report, stopError, startedAt: 0, endedAt: 0, waits: { count: 0, ms: 0 } },
    signal,
  );
  const lines: string[] = [];
  const output = { printMessage: (text: string) => void lines.push(text) };
  const args = { positionals: [], getValue: () => undefined, has: () => false };
  await reportStoppedChange(result, stopError, { args, output, signal } as never, {
    failed: [],
    unresolved: [],
    written: [],
    partial: [],
    remaining: [],
    ...documents,
    usesProject: false,
    confirmation: undefined,
    neededVariables,
    canRecover: (ending) => Promise.resolve(possibleEndings.includes(ending)),
  });
  return lines.join('\n');
}

test('after a request that cannot be sent again, only the rollback and the abandonment are proposed', async () => {
  const text = await formatStopped(new UnverifiedError());
  expect(text).toContain("Stopped after 1 of 2 steps. A request can't be sent again because");
  expect(text).toContain('datamodel-studio roll-back J --execute');
  expect(text).toContain('datamodel-studio abandon J');
  expect(text).not.toContain('resume');
});

test('after a conflict, only the possible ways to end the change are proposed', async () => {
  const conflict = new ConflictError(createTableRef('Stores'), undefined, 'hash');
  const text = await formatStopped(conflict, undefined, undefined, []);
  expect(text).toMatch(
    /\nTo finish the change, first restore what others have changed\. Otherwise, keep what is on the instance: datamodel-studio abandon J$/,
  );
  expect(text).not.toMatch(/Finish:|Roll back:/);
});

test('if rules are missing, the message says that the change can be finished once they are restored', async () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const ref = { kind: 'columnRules', subject, table: 'Staff', column: 'Role' } as const;
  const error = new MissingRulesError(new ConflictError(ref, [], 'hash'), {
    exposedColumns: ['Retail › Staff › Role'],
  });
  const text = await formatStopped(error, undefined, undefined, [], 'Set PASSWORD.');
  expect(text).toContain(
    'values that they hide might be visible now: Retail › Staff › Role. Restore these rules.',
  );
  expect(text).toContain('\nYou can finish the change after you have restored these rules.\n');
  expect(text).toContain('Finish:    datamodel-studio resume J --execute');
  expect(text).toContain('\nSet PASSWORD.\n');
  expect(text).not.toMatch(/overwrite changes by others|Roll back:/);
});

test('if the first request failed but might still take effect, the message does not say that nothing was changed', async () => {
  const failed = { state: 'failed', path: '', ms: 0 } as const;
  const text = await formatStopped(new Error('Busy'), [failed, { state: 'waiting' }]);
  expect(text).toContain('Nothing has changed on the server so far, but a request might still take effect.');
  expect(text).toContain('Roll back: datamodel-studio roll-back J --execute');
  expect(text).toContain('Abandon:   datamodel-studio abandon J');
  expect(
    await formatStopped(new Error('No'), [{ ...failed, refused: true }, { state: 'waiting' }]),
  ).toContain('Nothing was changed on the server.');
});

test('the error of a request with an unknown outcome is labeled as such', async () => {
  const request = { endpoint: 'tables.update', method: 'PATCH', path: '/tables' } as const;
  const error = new HttpError(request, { status: 500 });
  const unknown = { state: 'unknown', path: '', ms: 0 } as const;
  const done = { state: 'done', path: '', ms: 0 } as const;
  expect(await formatStopped(error, [done, unknown])).toMatch(
    /^Stopped after 1 of 2 steps\. Outcome unknown: .* It might have succeeded\./,
  );
  const failed = { state: 'failed', path: '', ms: 0 } as const;
  expect(await formatStopped(error, [done, failed])).not.toContain('Outcome unknown');
});

test('a partly done change of rules is reported as such, and not as one whose last request had no effect', async () => {
  const request = { endpoint: 'extractRules.update', method: 'PUT', path: '/rules' } as const;
  const text = await formatStopped(new HttpError(request, { status: 500 }), [
    { state: 'failed', path: '', ms: 0, partly: true },
    { state: 'waiting' },
  ]);
  expect(text).toContain('Stopped after 0 of 2 steps.');
  expect(text).not.toContain('no effect');
  expect(text).toContain('Some rules were changed.\n');
  expect(text).toContain('Finish:    datamodel-studio resume J --execute');
});

describe('the documents at which a change has stopped', async () => {
  const table = {
    action: 'update',
    kind: 'table',
    name: 'Stores',
    containerTitle: 'Retail',
    isCertain: false,
  } as const;
  const rules = { ...table, kind: 'columnRules', name: 'Orders.Region' } as const;
  const done = { state: 'done', path: '', ms: 0 } as const;

  test('are listed by the outcome of their writes', async () => {
    const unknown = { state: 'unknown', path: '', ms: 0 } as const;
    const text = await formatStopped(new Error('No'), [done, unknown], {
      failed: [rules],
      unresolved: [table],
      written: [{ ...table, action: 'create', name: 'Regions' }],
      remaining: [{ ...table, action: 'delete', name: 'Sizes' }],
    });
    expect(text).toContain(
      `
Failed:
    change rules on Orders.Region of Retail
Outcome unknown:
    change table Stores of Retail
Already written:
    create table Regions of Retail
Not written:
    delete table Sizes of Retail
`,
    );
    expect(await formatStopped(new Error('No'), [done, unknown])).toContain(
      "Couldn't verify which writes took effect.\n",
    );
  });

  test('that were not sent because of a conflict are listed as not written, and not as failed', async () => {
    const conflict = new ConflictError(createTableRef('Stores'), { name: 'Stores' }, '');
    const text = await formatStopped(conflict, undefined, { failed: [table], remaining: [rules] });
    expect(text).toContain(`
Not written:
    change table Stores of Retail
    change rules on Orders.Region of Retail
`);
  });

  test('that might be written in part are not called unwritten', async () => {
    const conflict = new ConflictError(createTableRef('Stores'), { name: 'Stores' }, '');
    const failed = [rules, { ...rules, name: 'Orders.Status' }];
    const text = await formatStopped(conflict, undefined, { failed, partial: [rules] });
    expect(text).toContain(`
Might be written in part:
    change rules on Orders.Region of Retail
Not written:
    change rules on Orders.Status of Retail
`);
  });

  test('are not listed if the message about a conflict already names the only one', async () => {
    const conflict = new ConflictError(createTableRef('Stores'), { name: 'Stores' }, '');
    const text = await formatStopped(conflict, undefined, { failed: [table] });
    expect(text).toContain('The table Stores was changed on the server in the meantime.\n');
    expect(text).not.toContain('Failed:');
  });

  test('are counted if there are many', async () => {
    const failed = Array.from({ length: 22 }, (_value, index) => ({ ...table, name: `T${index}` }));
    expect(await formatStopped(new Error('No'), undefined, { failed })).toMatch(
      /^Failed:\n    change table T0 of Retail\n[^]*change table T19 of Retail\n    and 2 more$/m,
    );
  });
});
