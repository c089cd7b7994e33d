import { describe, expect, test } from 'vitest';
import { useSandbox } from './sandboxFixture.ts';
import { createRealClient } from './realClient.ts';
import { expectDefined } from '../../support/expectations.ts';

const platform = useSandbox();

test('custom data is created, queried, changed and deleted [spec: custom.stored-whole] [spec: custom.filter] [spec: custom.all-matching]', () =>
  platform.expectSuccesses(
    [
      'customData.list',
      'customData.query',
      'customData.create',
      'customData.updateMatching',
      'customData.deleteMatching',
    ],
    async () => {
      const app = 'client-test';
      const created = expectDefined(
        (await platform.client.customData.create({ app, n: 1, deep: { list: [1, null] } })).value,
      );
      await platform.client.customData.create({ app, n: 2, flag: true });
      expect((await platform.client.customData.list()).value.map(({ _id }) => _id)).toContain(created['_id']);
      expect((await platform.client.customData.query({ app, n: 1 })).value).toEqual([created]);
      expect((await platform.client.customData.query({ app, flag: { $exists: false } })).value).toHaveLength(
        1,
      );
      await platform.client.customData.updateMatching({
        queryForSearch: { app },
        objectForUpdate: { seen: true },
      });
      expect((await platform.client.customData.query({ app, seen: true })).value).toHaveLength(2);
      await platform.client.customData.deleteMatching({ app });
      expect((await platform.client.customData.query({ app })).value).toEqual([]);
      expect((await platform.expectFailure(platform.client.customData.query({ $nonsense: 1 }))).code).toBe(
        'rejected',
      );
    },
  ));

describe('viewpoints', () => {
  test('are listed in pages, found by search, and read with their details [spec: viewpoint.page] [spec: viewpoint.total] [spec: viewpoint.search] [spec: viewpoint.query]', () =>
    platform.expectSuccesses(['viewpoints.status', 'viewpoints.list', 'viewpoints.get'], async () => {
      await platform.client.viewpoints.status();
      const firstPage = (await platform.client.viewpoints.list()).value;
      expect([firstPage.viewpoints.length, firstPage.total]).toEqual([100, 130]);
      const rest = (await platform.client.viewpoints.list({ offset: 100 })).value.viewpoints;
      const ids = [...firstPage.viewpoints, ...rest].map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)));
      expect(ids).toHaveLength(130);
      expect((await platform.client.viewpoints.list({ limit: 1000 })).value.viewpoints).toHaveLength(130);
      const [sample] = firstPage.viewpoints;
      expect(sample).not.toHaveProperty('details');
      const found = await platform.client.viewpoints.list({
        search: { id: String(sample?.id) },
        with: ['details', 'visibility'],
      });
      expect(found.value.viewpoints[0]).toHaveProperty('visibility');
      expect(found.value.viewpoints[0]).toEqual(
        (await platform.client.viewpoints.get({ viewpointId: String(sample?.id) })).value,
      );
      const countByName = async (name: string) =>
        (await platform.client.viewpoints.list({ search: { name } })).value.total ?? 0;
      expect(await countByName('Revenue')).toBe(10);
      expect(await countByName('rEVENUE')).toBe(0);
    }));

  test('are created, published, shared, changed and deleted [spec: viewpoint.unique] [spec: viewpoint.unpublished] [spec: viewpoint.published] [spec: viewpoint.sharing-apart] [spec: viewpoint.not-validated] [spec: viewpoint.put-partial] [spec: viewpoint.complex-whole] [spec: viewpoint.visibility-change] [spec: viewpoint.delete]', () =>
    platform.expectSuccesses(['viewpoints.create', 'viewpoints.update', 'viewpoints.delete'], async () => {
      const newViewpoint = { name: 'Made here', description: '', details: { columns: [{ nonsense: true }] } };
      const { id: viewpointId, enabled } = expectDefined(
        (await platform.client.viewpoints.create(newViewpoint)).value,
      );
      expect(enabled).toBe(false);
      expect((await platform.expectFailure(platform.client.viewpoints.create(newViewpoint))).code).toBe(
        'rejected',
      );
      const published = expectDefined(
        (
          await platform.client.viewpoints.create({
            name: 'Published',
            description: '',
            visibility: { enabled: true },
          })
        ).value,
      );
      expect(published.enabled).toBe(true);
      const get = async () => (await platform.client.viewpoints.get({ viewpointId })).value;
      await platform.client.viewpoints.update({ viewpointId }, { name: 'Renamed' });
      expect(await get()).toMatchObject({ name: 'Renamed', description: '', details: newViewpoint.details });
      await platform.client.viewpoints.update(
        { viewpointId },
        { visibility: { apps: ['slack'], groups: ['Sales'] } },
      );
      expect(await get()).toMatchObject({
        enabled: false,
        visibility: { apps: ['slack'], groups: ['Sales'] },
      });
      const details = { datasource: { title: 'Retail' }, columns: [] };
      await platform.client.viewpoints.update({ viewpointId }, { details });
      expect((await get()).details).toEqual(details);
      await platform.client.viewpoints.delete({ viewpointId });
      expect((await platform.expectFailure(platform.client.viewpoints.get({ viewpointId }))).code).toBe(
        'not-found',
      );
      await platform.client.viewpoints.delete({ viewpointId: published.id });
    }));

  test('of a tenant are created and listed with the header of the tenant [spec: viewpoint.tenant-header]', async () => {
    const tenant = createRealClient(platform.sandbox.url, platform.sandbox.adminToken, {
      deps: { tenantId: 'tenant-1' },
    });
    const createdViewpoint = expectDefined(
      (await tenant.client.viewpoints.create({ name: 'Tenant only', description: '' })).value,
    );
    expect(createdViewpoint.tenantId).toBe('tenant-1');
    expect((await tenant.client.viewpoints.list()).value.total).toBe(1);
    await tenant.client.viewpoints.delete({ viewpointId: createdViewpoint.id });
    tenant.client.dispose();
  });
});
