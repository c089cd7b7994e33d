import type { JsonValue } from '../../base/json.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { MessageSchema } from '../../platform/webviews.ts';
import type { FormModel, FormProblem, FromForm } from '../../webviews/protocol/documentForm.ts';
import type { FormModelAdapter } from '../../webviews/protocol/formSync.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { FormsDeps } from './deps.ts';

/** The context of a prompt. */
export interface QuestionContext {
  readonly deps: FormsDeps;
  /** The connection that the document belongs to. */
  readonly connectionId: string | undefined;
  /** The document as it was when the prompt opened; it may have changed when the answer arrives. */
  readonly value: JsonValue;
  readonly model: FormModel;
  /** Searches this datamodel for names from now on; the document itself names none. */
  useDatamodel(title: string): void;
}

/** The definition of the form for one kind of document. */
export interface FormDefinition<Edit, Question> extends FormModelAdapter<Edit> {
  /** The page's bundle. */
  readonly bundle: string;
  readonly schema: MessageSchema<FromForm<Edit, Question>>;
  /** Returns the title of the datamodel that the document names; blank where it names none. */
  getDatamodelTitle(value: JsonValue): string;
  validate(json: JsonDocument, value: JsonValue, catalog: Catalog | undefined): readonly FormProblem[];
  /** Lets the user choose; the edit applies to the value in the context. `undefined` when nothing was chosen. */
  prompt(question: Question, context: QuestionContext): Promise<Edit | undefined>;
}
