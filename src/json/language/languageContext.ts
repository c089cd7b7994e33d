import type { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';

/** A user, group or app that a document can refer to: the text to insert, and the name to show. */
export interface NamedEntity {
  readonly value: string;
  readonly label?: string;
  /** Set if rules can refer to the user or group by `value`: an ID, or a name in the files of a project. */
  readonly isId?: true;
}

/** What is known about the instance and the datamodel of a document. */
export interface LanguageContext {
  readonly model: DatamodelLookup;
  /**
   * The known names of the instance. Apps and rule members (values) are collected from its documents, because no
   * request lists them (rest-api.md, "ViewpointVisibility").
   */
  readonly instanceNames: {
    readonly apps: readonly NamedEntity[];
    readonly groups: readonly NamedEntity[];
    readonly users: readonly NamedEntity[];
    readonly datamodels: readonly {
      readonly title: string;
      readonly isLive: boolean;
      readonly server: string;
    }[];
    /** Returns the values (`members`) that the rules of a column list. */
    getMembers(table: string, column: string): readonly string[];
  };
}

export type ProposalKind = 'table' | 'column' | 'value' | 'snippet' | 'person';

/** A completion proposal. */
export interface Proposal {
  readonly label: string;
  readonly kind: ProposalKind;
  readonly detail?: string;
  /** The text to match against the typed text. */
  readonly filterText: string;
  /** JSON text to insert; a snippet with tab stops if `isSnippet`. */
  readonly insertText: string;
  readonly isSnippet?: boolean;
  readonly start: number;
  readonly end: number;
  /** Sort order: the lowest rank comes first. */
  readonly rank: number;
  /** Edits elsewhere in the text, applied when the proposal is accepted. */
  readonly additionalTextEdits?: readonly {
    readonly start: number;
    readonly end: number;
    readonly newText: string;
  }[];
}

export interface ProposalList {
  readonly items: readonly Proposal[];
  /** False if there are too many to show; typing more filters them. */
  readonly isComplete: boolean;
}
