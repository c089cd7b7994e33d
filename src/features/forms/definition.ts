import type { JsonValue } from '../../base/json.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { MessageSchema } from '../../platform/webviews.ts';
import type { FormModel, FormProblem, FromForm } from '../../webviews/protocol/documentForm.ts';
import type { FormModelAdapter } from '../../webviews/protocol/formSync.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { FormsDeps } from './deps.ts';

/** What an answer may be made from. */
export interface QuestionContext {
  readonly deps: FormsDeps;
  /** The connection that the document belongs to. */
  readonly connectionId: string | undefined;
  /** The document as it was when the person asked; it may have changed once the answer is there. */
  readonly value: JsonValue;
  readonly model: FormModel;
  /** Looks for names in this datamodel from now on; the document names none itself. */
  useDatamodel(title: string): void;
}

/** What a kind of document brings to its form. */
export interface FormDefinition<Edit, Question> extends FormModelAdapter<Edit> {
  /** The page's bundle. */
  readonly bundle: string;
  readonly schema: MessageSchema<FromForm<Edit, Question>>;
  /** The title of the datamodel that the document names; blank where it names none. */
  getDatamodelTitle(value: JsonValue): string;
  validate(json: JsonDocument, value: JsonValue, catalog: Catalog | undefined): readonly FormProblem[];
  /** Lets the person choose; the edit is one of the value in the context. `undefined` when nothing was chosen. */
  prompt(question: Question, context: QuestionContext): Promise<Edit | undefined>;
}
