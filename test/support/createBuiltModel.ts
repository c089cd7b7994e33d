import type { PlatformClient } from '../../src/client/platformClient.ts';
import { delay, systemClock } from '../../src/base/clock.ts';
import type { DatamodelType } from '../../src/contract/datamodel.ts';

/** Creates an empty datamodel and builds or publishes it, because some servers refuse rules before that. */
export async function createBuiltModel(
  client: PlatformClient,
  title: string,
  type: DatamodelType = 'extract',
): Promise<string> {
  const { value } = await client.datamodels.create({ title, type });
  const datamodelId = value?.oid ?? '';
  await client.builds.start({ datamodelId, buildType: type === 'live' ? 'publish' : 'full' });
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const [task] = (await client.builds.list({ datamodelId })).value;
    if (task?.status === 'done') {
      return datamodelId;
    }
    await delay(systemClock, 10);
  }
  throw new Error(`${title} was not built`);
}
