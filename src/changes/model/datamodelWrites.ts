import type { PathParams } from '../../contract/endpoints.ts';
import { type DatamodelType } from '../../contract/datamodel.ts';
import type { Write } from './operation.ts';

/** A datamodel without datasets. */
export const datamodelCreation = (body: { readonly title: string; readonly type: DatamodelType }): Write => ({
  endpoint: 'datamodels.create',
  params: {},
  body,
});

/** Removes a datamodel with all that it holds. */
export const datamodelDeletion = (ids: PathParams<'datamodels.delete'>): Write => ({
  endpoint: 'datamodels.delete',
  params: ids,
  target: { kind: 'datamodel', ...ids },
});
