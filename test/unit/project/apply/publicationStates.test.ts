import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, parseLossless, stringify } from '../../../../src/base/json.ts';
import { asObject } from '../../../../src/changes/model/jsonMembers.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { UndoFixture } from './undoSupport.ts';
import { createViewpointContent, testUsers, viewpointId } from './viewpointContent.ts';

/** The two states of publication of a viewpoint. */
interface States {
  readonly enabled: JsonValue;
  readonly inVisibility: JsonValue;
}

/**
 * A project whose viewpoint file has `enabled`, and no visibility, and an instance that keeps the two states of
 * publication apart: which of them decides isn't documented (rest-api.md, "Viewpoint publication").
 */
describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const open = async ({ isPublished }: { readonly isPublished: boolean }) => {
    const content = createViewpointContent(['x'], testUsers.slice(0, 1));
    const fixture = await UndoFixture.create(profile, { content });
    const { instance, project } = fixture;
    const { sandbox, transport } = instance.fixture;
    const { viewpoints } = sandbox.store;
    const read = async (): Promise<JsonObject> =>
      asObject(await instance.fixture.read({ kind: 'viewpoint', viewpointId }));
    let states: States = { enabled: true, inVisibility: true };
    const setStates = ({ enabled, inVisibility }: States): void => {
      states = { enabled, inVisibility };
      const stored = expectDefined(viewpoints.getDocument(viewpointId, undefined));
      viewpoints.write({
        ...stored,
        enabled,
        visibility: { ...asObject(stored['visibility']), enabled: inVisibility },
      });
    };
    // The sandbox gives both states the same value.
    instance.fixture.hasEmptyResponse = (line) => {
      if (line.startsWith('PUT') && line.includes('viewpoints')) {
        const { enabled, visibility } = asObject(parseLossless(String(transport.requests.at(-1)?.body)));
        setStates({
          enabled: enabled ?? states.enabled,
          inVisibility: asObject(visibility)['enabled'] ?? states.inVisibility,
        });
      }
      return false;
    };
    const path = expectDefined([...project.texts.keys()].find((other) => other.startsWith('viewpoints/')));
    const file = asObject(parseLossless(expectDefined(project.texts.get(path))));
    const { visibility: _visibility, ...others } = file;
    project.texts.set(path, stringify({ ...others, enabled: isPublished }));
    return { fixture, setStates, read };
  };

  test.each([false, true])('an apply sets both states (published: %s)', async (isPublished) => {
    const { fixture, setStates, read } = await open({ isPublished });
    using _fixture = fixture;
    setStates({ enabled: !isPublished, inVisibility: !isPublished });
    const visibility = asObject((await read())['visibility']);
    await fixture.apply();
    expect(await read()).toMatchObject({
      enabled: isPublished,
      visibility: { ...visibility, enabled: isPublished },
    });
    expect(await fixture.listChanges()).toEqual([]);
  });

  test.each([false, true])(
    'a state in the visibility that differs from the file is a change (published: %s)',
    async (isPublished) => {
      const { fixture, setStates, read } = await open({ isPublished });
      using _fixture = fixture;
      setStates({ enabled: isPublished, inVisibility: !isPublished });
      expect(await fixture.listChanges()).toEqual([expect.stringContaining('update viewpoint/V [/enabled]')]);
      await fixture.apply();
      expect(await read()).toMatchObject({ enabled: isPublished, visibility: { enabled: isPublished } });
      expect(await fixture.listChanges()).toEqual([]);
    },
  );
});
