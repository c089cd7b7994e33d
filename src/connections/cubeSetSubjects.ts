import { getCubeSetRuleSubject, isSameSubject, type RuleSubject } from '../catalog/ruleSubject.ts';
import type { Connection } from './connection.ts';

/** Returns the cube sets that the user has added to a connection; none if the connection does not exist. */
export const getCubeSetSubjects = (
  connection: Pick<Connection, 'cubeSets'> | undefined,
): readonly RuleSubject[] =>
  (connection?.cubeSets ?? []).map(({ name, server }) => getCubeSetRuleSubject(name, server));

/** Returns whether rules belong to a cube set that the user has added to a connection. */
export const isAddedCubeSet = (
  connection: Pick<Connection, 'cubeSets'> | undefined,
  subject: RuleSubject,
): boolean => getCubeSetSubjects(connection).some((cubeSet) => isSameSubject(cubeSet, subject));
