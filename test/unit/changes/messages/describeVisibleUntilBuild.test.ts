import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { describeVisibleUntilBuild } from '../../../../src/changes/messages/describeVisibleUntilBuild.ts';

const visible = { datamodel: 'Retail', isLive: false, data: ['Customers.Segment'], viewpoints: ['New'] };
const isNeverBuilt = true as const;

test.each([
  [{}, 'Until Retail is built, more data might be visible: Customers.Segment and viewpoint New.'],
  [
    { isLive: true },
    'Until Retail is published, more data might be visible: Customers.Segment and viewpoint New.',
  ],
  [
    { isNeverBuilt },
    'If the first build of Retail was already running, more data might be visible until Retail is built again: Customers.Segment and viewpoint New.',
  ],
  [
    { isNeverBuilt, isLive: true },
    'If the first publication of Retail was already running, more data might be visible until Retail is published again: Customers.Segment and viewpoint New.',
  ],
])('what might be visible until a build is said in a sentence: %j', (build, expected) => {
  const visibleUntilBuild = [{ ...visible, ...build }];
  expect(describeVisibleUntilBuild(english, { visibleUntilBuild })).toEqual([expected]);
});
