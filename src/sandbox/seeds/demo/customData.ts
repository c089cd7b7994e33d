import type { JsonObject } from '../../../base/json.ts';
import { createSeedObjectId } from '../seedIds.ts';
import { people } from '../people.ts';
import type { SeedTarget } from '../seed.ts';

/**
 * Examples of what teams store in custom data: status tags, settings, bookmarks, accepted terms (platform-facts.md, 4).
 */
const objects: readonly JsonObject[] = [
  { app: 'status-tags', model: 'Retail', status: 'certified', icon: 'verified', since: '2025-11-02' },
  { app: 'status-tags', model: 'Marketing', status: 'in review', icon: 'eye', since: '2025-12-12' },
  { app: 'status-tags', model: 'Support Desk', status: 'experimental', icon: 'beaker', since: '2025-12-19' },
  { app: 'bookmarks', user: people.amara._id, items: ['Revenue by Region', 'Orders by Week'] },
  { app: 'bookmarks', user: people.elena._id, items: ['Profit by Category', 'Refunds by Month'] },
  { app: 'settings', user: people.grace._id, currency: 'EUR', locale: 'de-DE', dense: true },
  { app: 'settings', user: people.hiro._id, currency: 'EUR', locale: 'ja-JP', dense: false },
  { app: 'terms', version: 3, accepted: [people.amara._id, people.bruno._id, people.chiara._id] },
  {
    app: 'notes',
    title: 'Inventory count',
    text: 'Stock figures of Kiel are late in week 2.',
    pinned: false,
  },
  {
    app: 'build-calendar',
    frozen: [
      { from: '2025-12-23', to: '2026-01-02', reason: 'holidays' },
      { from: '2026-03-30', to: '2026-04-02', reason: 'quarter end' },
    ],
  },
  {
    app: 'thresholds',
    measure: 'Average Discount',
    warn: 0.12,
    alarm: 0.18,
    owners: { finance: people.farid._id },
  },
  { feature: 'dark-launch', enabled: true },
];

/** Inserts the custom data of the demo seed. */
export function insertDemoCustomData(target: SeedTarget): void {
  objects.forEach((object, index) => {
    target.insertCustomData({ _id: createSeedObjectId(`custom data/${index}`), ...object });
  });
}
