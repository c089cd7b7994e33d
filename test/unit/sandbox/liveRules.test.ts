import { describe, expect, test } from 'vitest';
import { createSandbox, createLiveRule, partyIds, createRule } from './support.ts';

const liveRulesPath = '/api/v1/elasticubes/live/Support/datasecurity';
const ruleByIdPath = '/api/v1/elasticubes/live/datasecurity';

test('POST accepts an array or one rule; GET returns partyId (rest-api.md, "Data security rule"; platform-facts.md, 3.1)', async () => {
  const { send } = createSandbox();
  const array = await send('POST', liveRulesPath, [createLiveRule(), createLiveRule({ column: 'City' })]);
  expect(array.status).toBe(200);
  expect(array.body).toHaveLength(2);
  const single = await send('POST', liveRulesPath, createLiveRule({ column: 'Team' }));
  expect(single.body).toHaveLength(1);
  const listed = await send('GET', liveRulesPath);
  expect(listed.body).toEqual([...array.body, ...single.body]);
  expect(listed.body[0].shares).toEqual([{ partyId: partyIds.ann, type: 'user', partyName: 'Ann' }]);
  expect((await send('GET', '/api/v1/elasticubes/live/Other/datasecurity')).body).toEqual([]);
});

describe('POST rejects', () => {
  test.each([
    ['live must always be true', { live: false }, 'live'],
    ['live is required', { live: undefined }, 'live'],
    ['fullname carries the mandatory prefix live:', { fullname: 'Support' }, 'fullname'],
    ['fullname is required', { fullname: undefined }, 'fullname'],
    ['fullname names the datamodel of the path', { fullname: 'live:Other' }, 'fullname'],
    ['_id must not be sent', { _id: 'x' }, '_id'],
    ['partyId is required when type is user', { shares: [{ type: 'user', party: 'x' }] }, 'shares/0/partyId'],
    ['exclusionary must not be sent', { exclusionary: true }, 'exclusionary'],
    ['members is required, unless allMembers is used', { members: undefined }, 'members'],
    ['allMembers is null, not false, when members are listed', { allMembers: false }, 'allMembers'],
    ['datatype is text or numeric', { datatype: 'date' }, 'datatype'],
  ])('%s (rest-api.md, "Data security rule, live datamodel")', async (_rule, changes, field) => {
    const { send } = createSandbox();
    const reply = await send('POST', liveRulesPath, [createLiveRule(), createLiveRule(changes)]);
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain(`1/${field}:`);
    expect((await send('GET', liveRulesPath)).body).toEqual([]);
    const single = await send('POST', liveRulesPath, createLiveRule(changes));
    expect(single.status).toBe(400);
    expect(single.body.error.message).toContain(`${field}:`);
  });
});

test('a default rule has no party (rest-api.md, "Kinds of rule")', async () => {
  const { send } = createSandbox();
  const sent = createLiveRule({ members: [], allMembers: false, shares: [{ type: 'default' }] });
  expect((await send('POST', liveRulesPath, sent)).body).toMatchObject([sent]);
});

test('DELETE deletes one rule, or the rules of one column (rest-api.md, "Data security, live datamodels")', async () => {
  const { send } = createSandbox();
  const [first] = (
    await send('POST', liveRulesPath, [
      createLiveRule(),
      createLiveRule(),
      createLiveRule({ column: 'City' }),
    ])
  ).body;
  expect((await send('DELETE', `${ruleByIdPath}/${first._id}`)).status).toBe(200);
  expect((await send('DELETE', `${ruleByIdPath}/${first._id}`)).status).toBe(404);
  expect((await send('DELETE', `${liveRulesPath}/Orders/Region`)).body).toEqual({ deleted: 1 });
  expect((await send('GET', liveRulesPath)).body).toMatchObject([{ column: 'City' }]);
});

test('live and extract rules are separate: neither is changed or deleted by the other’s paths', async () => {
  const { send } = createSandbox();
  const [storedLive] = (await send('POST', liveRulesPath, [createLiveRule()])).body;
  const [storedExtract] = (
    await send('POST', '/api/elasticubes/LocalHost/Support/datasecurity', [createRule()])
  ).body;
  expect((await send('DELETE', `/api/elasticubes/datasecurity/${storedLive._id}`)).status).toBe(404);
  expect((await send('PUT', `/api/elasticubes/datasecurity/${storedLive._id}`, storedLive)).status).toBe(404);
  expect((await send('DELETE', `${ruleByIdPath}/${storedExtract._id}`)).status).toBe(404);
  expect((await send('PUT', `${ruleByIdPath}/${storedLive._id}`, storedLive)).status).toBe(405);
});

test('a title with blanks, slashes and percent signs is one path segment', async () => {
  const { send } = createSandbox();
  const title = 'A/B 100% [x] ü?#+&';
  const path = `/api/v1/elasticubes/live/${encodeURIComponent(title)}/datasecurity`;
  expect((await send('POST', path, createLiveRule({ fullname: `live:${title}` }))).status).toBe(200);
  expect((await send('GET', path)).body).toHaveLength(1);
  expect((await send('DELETE', `${path}/Orders/Region`)).body).toEqual({ deleted: 1 });
});
