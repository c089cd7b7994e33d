import { ruleSubjectOf, type RuleSubject, subjectTitle } from '../catalog/ruleSubject.ts';
import type { Session } from '../connections/sessions.ts';
import { closest } from '../base/similarNames.ts';
import { Refusal } from './exitCodes.ts';

/**
 * The one datamodel of that title; titles are case sensitive on the server.
 * @throws Refusal where there is none or more than one
 * @throws ApiError where the datamodels, or the one that is meant, cannot be read
 */
export async function ruleSubjectByTitle({ catalog }: Session, title: string): Promise<RuleSubject> {
  const { value, failure } = await catalog.readable.datamodels();
  const [found, ...others] = value.filter((each) => each.title === title).map(ruleSubjectOf);
  if (others.length > 0) {
    throw new Refusal(`Several datamodels are named ${title}.`);
  }
  if (found !== undefined) {
    return found;
  }
  if (failure !== undefined) {
    // It may be the one that could not be read.
    throw failure;
  }
  const [meant] = closest(
    title,
    value.map((each) => each.title),
  );
  throw new Refusal(`Datamodel not found: ${title}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
}

export const datamodelOutput = (subject: RuleSubject) => ({
  title: subjectTitle(subject),
  type: subject.kind,
});
