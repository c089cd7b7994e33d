import type { JsonValue } from '../../base/json.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { MessageSchema } from '../../platform/webviews.ts';
import type { FormDatamodelState, FormProblem, FromForm } from '../../webviews/protocol/documentForm.ts';
import type { FormDocumentAdapter } from '../../webviews/protocol/formSync.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { FormsDeps } from './deps.ts';
import type { FormNameSource } from './formNameSource.ts';

/** The context of a prompt that a form requests. */
export interface QuestionContext {
  readonly deps: FormsDeps;
  /** The source of the names that the document may use. */
  readonly source: FormNameSource;
  /** The value of the document when the prompt opened; the document may change before the user answers. */
  readonly value: JsonValue;
  readonly model: FormDatamodelState;
  /** Sets the datamodel that provides table and column names, for a document that does not name one. */
  useDatamodel(title: string): void;
}

/** Defines the form for one kind of document. */
export interface FormDefinition<Edit, Question> extends FormDocumentAdapter<Edit> {
  /** The name of the page's script bundle. */
  readonly bundle: string;
  readonly schema: MessageSchema<FromForm<Edit, Question>>;
  /** Returns the title of the datamodel that the document names; empty if it names none. */
  getDatamodelTitle(value: JsonValue): string;
  /** Returns the columns whose known values the page offers while values are typed; absent if it offers none. */
  getValueColumns?(value: JsonValue): readonly ColumnName[];
  validate(
    json: JsonDocument,
    value: JsonValue,
    catalog: Catalog | undefined,
    knownValues: KnownValues,
  ): readonly FormProblem[];
  /** Asks the user and returns an edit of the context's value; `undefined` if the user canceled. */
  prompt(question: Question, context: QuestionContext): Promise<Edit | undefined>;
}
