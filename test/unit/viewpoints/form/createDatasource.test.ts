import { expect, test } from 'vitest';
import { findOrCreateDatasource } from '../../../../src/viewpoints/form/createDatasource.ts';

const salesDatasource = { id: 'a', title: 'Sales', fullname: 'Cubes 1/Sales', modelType: 'external' };
const liveSalesDatasource = { id: 'b', title: 'Sales', fullname: 'live:Sales', modelType: 'live' };

test('the datasource names the server of an extract datamodel', () => {
  expect(findOrCreateDatasource({ title: 'Sales', type: 'extract', server: 'Cubes 1' }, [])).toEqual({
    title: 'Sales',
    fullname: 'Cubes 1/Sales',
    modelType: 'external',
  });
  for (const server of [undefined, null]) {
    expect(findOrCreateDatasource({ title: 'Sales', server }, [])).toMatchObject({
      fullname: 'LocalHost/Sales',
    });
  }
});

test('the datasource of another viewpoint on the same datamodel is used, because it has an ID', () => {
  const known = [7, { title: 'Sales' }, liveSalesDatasource, salesDatasource];
  expect(findOrCreateDatasource({ title: 'Sales', server: 'Cubes 1' }, known)).toEqual(salesDatasource);
  expect(findOrCreateDatasource({ title: 'Sales', type: 'live' }, known)).toEqual(liveSalesDatasource);
});

test('the datasource of a datamodel of the same title on another server is not used', () => {
  expect(findOrCreateDatasource({ title: 'Sales', server: 'Cubes 2' }, [salesDatasource])).toEqual({
    title: 'Sales',
    fullname: 'Cubes 2/Sales',
    modelType: 'external',
  });
});
