import { getCubeSetRuleSubject, type RuleSubject } from '../catalog/ruleSubject.ts';
import type { Connection } from './connection.ts';

/** Returns the cube sets that the user has added to a connection; none if the connection does not exist. */
export const getCubeSetSubjects = (
  connection: Pick<Connection, 'cubeSets'> | undefined,
): readonly RuleSubject[] =>
  (connection?.cubeSets ?? []).map(({ name, server }) => getCubeSetRuleSubject(name, server));
