import type { Log } from '../../base/log.ts';
import { modelCatalog } from '../../catalog/modelCatalog.ts';
import { type RuleSubject, ruleSubjectOf, sameSubject, subjectTitle } from '../../catalog/ruleSubject.ts';
import { wholeDatamodel } from '../../catalog/wholeDatamodel.ts';
import type { Session } from '../../connections/sessions.ts';
import { partyOf, type Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { SeenParty, ToAccess } from '../../protocol/access.ts';

type Data = Extract<ToAccess, { type: 'data' }>;

/**
 * What a page is told of a datamodel or cube set. A failure to read the tables is told beside the rules, which say
 * most by themselves.
 */
export async function accessData(
  { catalog }: Session,
  { subject, rules }: { readonly subject: RuleSubject; readonly rules: readonly Rule[] },
  log: Log,
): Promise<Data> {
  const data = { type: 'data', title: subjectTitle(subject), kind: subject.kind, rules } as const;
  try {
    const listed = (await catalog.readable.datamodels()).value.find((each) =>
      sameSubject(ruleSubjectOf(each), subject),
    );
    if (listed === undefined) {
      return data;
    }
    return { ...data, catalog: modelCatalog(await wholeDatamodel(catalog, listed.oid)) };
  } catch (error) {
    log.warn('access', 'Reading the tables failed', { reason: String(error) });
    return { ...data, reason: userMessage(error) };
  }
}

/** The users and groups whom rules name, with the names that the server tells (platform-facts 3.1). */
export const partiesOfRules = (rules: readonly Rule[]): readonly SeenParty[] =>
  distinct(
    rules.flatMap(({ shares }) =>
      (shares ?? []).flatMap((share): SeenParty[] => {
        const { type, partyName } = share;
        const id = partyOf(share);
        return (type === 'user' || type === 'group') && id ? [{ type, id, name: partyName ?? id }] : [];
      }),
    ),
  );

/** The users and groups with whom viewpoints are shared (spec, "ViewpointVisibility"). */
export const partiesOfViewpoints = (viewpoints: readonly Viewpoint[]): readonly SeenParty[] =>
  distinct(
    viewpoints.flatMap(({ visibility }) => [
      ...(visibility?.users ?? []).map((id): SeenParty => ({ type: 'user', id, name: id })),
      ...(visibility?.groups ?? []).map((id): SeenParty => ({ type: 'group', id, name: id })),
    ]),
  );

const distinct = (parties: readonly SeenParty[]): readonly SeenParty[] => [
  ...new Map(parties.map((party) => [`${party.type}:${party.id}`, party])).values(),
];
