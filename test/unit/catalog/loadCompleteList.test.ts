import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ListPage, loadCompleteList } from '../../../src/catalog/loadCompleteList.ts';

/** A server with a sorted list of numbers, which other clients change between two pages. */
class PagingServer {
  items: number[];
  readonly requestedOffsets: number[] = [];
  readonly #limit: number;
  readonly #reportsTotal: boolean;
  readonly #changesBetweenPages: readonly (() => void)[];

  constructor(
    count: number,
    options: { limit: number; reportsTotal?: boolean; changesBetweenPages?: (() => void)[] },
  ) {
    this.items = [...Array(count).keys()];
    this.#limit = options.limit;
    this.#reportsTotal = options.reportsTotal ?? true;
    this.#changesBetweenPages = options.changesBetweenPages ?? [];
  }

  readonly loadPage = async (offset: number): Promise<ListPage<number>> => {
    const items = this.items.slice(offset, offset + this.#limit);
    const total = this.#reportsTotal ? this.items.length : undefined;
    this.#changesBetweenPages[this.requestedOffsets.length]?.();
    this.requestedOffsets.push(offset);
    return { items, total };
  };

  readonly getId = (item: number): unknown => item;

  /** Deletes an item, as another client does. */
  delete(item: number): void {
    this.items = this.items.filter((each) => each !== item);
  }
}

test('a list that does not change is read once, with each page overlapping the previous one', async () => {
  const server = new PagingServer(25, { limit: 10 });
  expect(await loadCompleteList(server)).toEqual([...Array(25).keys()]);
  expect(server.requestedOffsets).toEqual([0, 9, 18]);
});

test('a one-page list takes one request if the server returns the total', async () => {
  const server = new PagingServer(10, { limit: 10 });
  expect(await loadCompleteList(server)).toHaveLength(10);
  expect(server.requestedOffsets).toEqual([0]);
});

test('deletions between two pages hide no later items', async () => {
  const server = new PagingServer(20, {
    limit: 10,
    changesBetweenPages: [() => [0, 1, 2].forEach((item) => server.delete(item))],
  });
  expect(await loadCompleteList(server)).toEqual(server.items);
  expect(server.items).toHaveLength(17);
});

test('if everything read so far is deleted meanwhile, the rest is still found', async () => {
  const server = new PagingServer(3, {
    limit: 2,
    changesBetweenPages: [() => [0, 1].forEach((item) => server.delete(item))],
  });
  expect(await loadCompleteList(server)).toEqual([2]);
});

test('a server that ignores the offset gets two requests', async () => {
  let requestCount = 0;
  const loadPage = async () => {
    requestCount += 1;
    return { items: [1, 2, 3], total: undefined };
  };
  expect(await loadCompleteList({ loadPage, getId: (item) => item })).toEqual([1, 2, 3]);
  expect(requestCount).toBe(2);
});

test('a list that never stops changing is read to its end eventually', async () => {
  let next = 1000;
  const loadPage = async (offset: number) => ({
    items: offset > 2 ? [] : [(next += 1), (next += 1)],
    total: undefined,
  });
  // Four attempts stop after two pages of two items each; the fifth and last one reads to the end.
  expect(await loadCompleteList({ loadPage, getId: (item) => item })).toEqual([
    1017, 1018, 1019, 1020, 1021, 1022,
  ]);
});

test('property: every item that stays is found once, whatever others delete and add meanwhile', async () => {
  const change = fc.record({
    delete: fc.array(fc.nat(40), { maxLength: 4 }),
    add: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      fc.array(change, { maxLength: 3 }),
      async (count, limit, reportsTotal, changes) => {
        // With one item per page there is no overlap that could reveal a shift.
        fc.pre(limit > 1 || changes.length === 0);
        let next = 100;
        const changesBetweenPages = changes.map((each) => () => {
          each.delete.forEach((item) => server.delete(item));
          server.items.push(...Array.from({ length: each.add }, () => (next += 1)));
        });
        const server = new PagingServer(count, {
          limit,
          reportsTotal,
          changesBetweenPages,
        });
        const before = new Set(server.items);
        const found = await loadCompleteList(server);
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(server.items.filter((item) => before.has(item))));
      },
    ),
  );
});
