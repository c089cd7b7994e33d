import { getRuleSubject, type RuleSubject, getSubjectTitle } from '../catalog/ruleSubject.ts';
import type { Session } from '../connections/sessions.ts';
import type { Datamodel } from '../contract/datamodel.ts';
import { findClosestNames } from '../base/similarNames.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * Finds the only datamodel with a title; titles are case sensitive on the server.
 * @throws CommandRefusedError if there is none or more than one
 * @throws ApiError if the datamodels, or the intended one, can't be read
 */
export async function requireDatamodelByTitle({ catalog }: Session, title: string): Promise<Datamodel> {
  const { value, failure } = await catalog.partial.datamodels();
  const [found, ...others] = value.filter((datamodel) => datamodel.title === title);
  if (others.length > 0) {
    throw new CommandRefusedError(
      `More than one datamodel is named ${title}. Rename one of them on the instance.`,
    );
  }
  if (found !== undefined) {
    return found;
  }
  if (failure !== undefined) {
    // The intended datamodel may be one that could not be read.
    throw failure;
  }
  const [closest] = findClosestNames(
    title,
    value.map((datamodel) => datamodel.title),
  );
  throw new CommandRefusedError(
    `Datamodel not found: ${title}.${closest === undefined ? '' : ` Did you mean ${closest}?`}`,
  );
}

/**
 * Finds the rule subject of the only datamodel with a title.
 * @throws what {@link requireDatamodelByTitle} throws
 */
export const requireRuleSubjectByTitle = async (session: Session, title: string): Promise<RuleSubject> =>
  getRuleSubject(await requireDatamodelByTitle(session, title));

export const toDatamodelOutput = (subject: RuleSubject) => ({
  title: getSubjectTitle(subject),
  type: subject.kind,
});
