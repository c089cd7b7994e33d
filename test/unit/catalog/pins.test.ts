import { expect, test } from 'vitest';
import { type Pin, Pins } from '../../../src/catalog/pins.ts';

const model: Pin = { connectionId: 'c', datamodel: { oid: 'm', title: 'Retail', type: 'extract' } };
const table: Pin = { ...model, table: { datasetId: 'd', oid: 't', name: 'Orders' } };

function createStorage(initial?: unknown) {
  const storage = {
    value: initial,
    read: () => storage.value,
    write: (value: unknown) => {
      storage.value = value;
    },
  };
  return storage;
}

test('pins are kept between sessions, each once, oldest first', () => {
  const storage = createStorage();
  const pins = new Pins(storage);
  let changeCount = 0;
  pins.onDidChange(() => (changeCount += 1));
  pins.add(table);
  pins.add(model);
  pins.add({ ...table, datamodel: { ...table.datamodel, title: 'Renamed' } });
  expect(changeCount).toBe(2);
  expect(new Pins(storage).all).toEqual([table, model]);
});

test('a pin is found and removed by identity, not by name', () => {
  const pins = new Pins(createStorage([model, table]));
  expect(pins.has({ ...model, datamodel: { oid: 'm', title: 'Other' } })).toBe(true);
  expect(pins.has({ ...model, connectionId: 'elsewhere' })).toBe(false);
  pins.remove({ ...table, table: { datasetId: 'd', oid: 't', name: 'Other' } });
  expect(pins.all).toEqual([model]);
});

test('a changed table keeps its pin, which is written only if it differs', () => {
  const storage = createStorage([model, table]);
  const pins = new Pins(storage);
  let changeCount = 0;
  pins.onDidChange(() => (changeCount += 1));
  const changed = { datasetId: 'd', oid: 't', name: 'Sales', type: 'custom', hidden: true } as const;
  pins.updateTable(table, changed);
  pins.updateTable(table, changed);
  expect(changeCount).toBe(1);
  expect(new Pins(storage).all.map((pin) => pin.table)).toEqual([undefined, changed]);
});

test('a pinned table of an unknown type is kept, without the type', () => {
  const pinOfUnknownType = { ...table, table: { ...table.table, type: 'new' } };
  expect(new Pins(createStorage([pinOfUnknownType])).all).toEqual([table]);
});

test('unreadable pins are left out', () => {
  expect(new Pins(createStorage([{ connectionId: 1 }, model])).all).toEqual([model]);
  expect(new Pins(createStorage('nonsense')).all).toEqual([]);
});

test('pinning keeps what another window has pinned and unpinned since', () => {
  const storage = createStorage([model]);
  const [firstWindow, secondWindow] = [new Pins(storage), new Pins(storage)];
  firstWindow.add(table);
  firstWindow.remove(model);
  secondWindow.add({ ...model, connectionId: 'elsewhere' });
  expect(
    secondWindow.all.map(({ connectionId, table: pinnedTable }) => [connectionId, pinnedTable?.oid]),
  ).toEqual([
    ['c', 't'],
    ['elsewhere', undefined],
  ]);
  expect(new Pins(storage).all).toEqual(secondWindow.all);
});

test('removing a connection removes its pins and keeps the others', () => {
  const storage = createStorage([model, { ...table, connectionId: 'elsewhere' }]);
  const pins = new Pins(storage);
  pins.removeConnection('c');
  expect(pins.all.map(({ connectionId }) => connectionId)).toEqual(['elsewhere']);
  expect(new Pins(storage).all).toEqual(pins.all);
});
