import type { Dataset } from '../contract/dataset.ts';

const generatedName = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/**
 * What a dataset is called; `undefined` where nothing names it. The platform names most datasets by a generated id,
 * so the connection's name says more (platform-facts 2.2).
 */
export function datasetName({ name, connection }: Dataset): string | undefined {
  if (name && !generatedName.test(name.replace(/^custom-/, ''))) {
    return name;
  }
  const connectionName = connection?.['name'];
  return typeof connectionName === 'string' && connectionName !== '' ? connectionName : undefined;
}
