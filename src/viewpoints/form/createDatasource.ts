import type { JsonValue } from '../../base/json.ts';
import { type Datamodel, getDatamodelType } from '../../contract/datamodel.ts';
import { defaultServer, livePrefix } from '../../contract/terms.ts';
import { readDatasource } from './readViewpoint.ts';
import type { Datasource } from './viewpointEdit.ts';

type DatasourceDatamodel = Pick<Datamodel, 'title' | 'type' | 'server'>;

type NewDatasource = Pick<Datasource, 'title' | 'fullname'> & { readonly modelType: 'live' | 'external' };

/** Creates the datasource of a viewpoint on a datamodel, without its ID (rest-api.md, "ViewpointDetails"). */
export function createDatasource(datamodel: DatasourceDatamodel): NewDatasource {
  const { title, server } = datamodel;
  return getDatamodelType(datamodel) === 'live'
    ? { title, fullname: `${livePrefix}${title}`, modelType: 'live' }
    : { title, fullname: `${server ?? defaultServer}/${title}`, modelType: 'external' };
}

/**
 * Returns the datasource of a viewpoint on a datamodel: the one of `datasources` that refers to the datamodel, because
 * it has the ID of the datasource; otherwise a new one without an ID. An extract and a live datamodel may have the same
 * title.
 */
export function findOrCreateDatasource(
  datamodel: DatasourceDatamodel,
  datasources: readonly JsonValue[],
): Datasource {
  const created = createDatasource(datamodel);
  return (
    datasources
      .map(readDatasource)
      .find(({ fullname, modelType }) => fullname === created.fullname && modelType === created.modelType) ??
    created
  );
}
