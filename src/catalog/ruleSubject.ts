import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { cubeSetServer, defaultServer } from '../contract/terms.ts';

/** The subject of data security rules: exactly one datamodel, or a cube set (rest-api.md, "Data security rule"). */
export type RuleSubject =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/** Live rules are addressed by title, extract rules by server and title (rest-api.md, "Endpoints"). */
export function getRuleSubject(datamodel: Pick<Datamodel, 'title' | 'type' | 'server'>): RuleSubject {
  return getDatamodelType(datamodel) === 'live'
    ? { kind: 'live', title: datamodel.title }
    : { kind: 'extract', server: datamodel.server ?? defaultServer, elasticube: datamodel.title };
}

/**
 * The subject for a cube set: the term `set` in place of the server, and the set's name in place of the cube. All
 * strings are case sensitive and instances differ in the term, so the user's spelling is kept (decisions.md, "REST
 * client").
 */
export const getCubeSetRuleSubject = (name: string, term: string = cubeSetServer): RuleSubject => ({
  kind: 'extract',
  server: term,
  elasticube: name,
});

/** Returns whether rules are those of a cube set; instances differ in the spelling of the term. */
export const isCubeSetRuleSubject = (subject: RuleSubject): boolean =>
  subject.kind === 'extract' && subject.server.toLowerCase() === cubeSetServer;

/** The title of the datamodel or cube set. */
export const getSubjectTitle = (subject: RuleSubject): string =>
  subject.kind === 'live' ? subject.title : subject.elasticube;

/** Names a column with rules, with the datamodel or cube set of the rules: Retail › Orders › Status. */
export const formatRuleColumn = (
  subject: RuleSubject,
  { table, column }: { readonly table: string; readonly column: string },
): string => [getSubjectTitle(subject), table, column].join(' › ');

export const isSameSubject = (a: RuleSubject, b: RuleSubject): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
