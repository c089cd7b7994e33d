import type { Model } from '../../viewpoints/model.ts';

/** A party or object that a document may refer to: the text to write, and the name to show. */
export interface NamedEntity {
  readonly value: string;
  readonly label?: string;
  /** The text to write is an ID, not a name. */
  readonly isId?: true;
}

/** Known facts about the instance and the datamodel of a document. */
export interface LanguageContext {
  readonly model: Model;
  /** Names found on the instance; no request lists them (rest-api.md, "ViewpointVisibility"). */
  readonly seen: {
    readonly apps: readonly NamedEntity[];
    readonly groups: readonly NamedEntity[];
    readonly users: readonly NamedEntity[];
    readonly datamodels: readonly {
      readonly title: string;
      readonly isLive: boolean;
      readonly server: string;
    }[];
    /** Members in the rules of a column. */
    members(table: string, column: string): readonly string[];
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
  /** JSON to insert; with tab stops if `isSnippet`. */
  readonly insertText: string;
  readonly isSnippet?: boolean;
  readonly start: number;
  readonly end: number;
  /** Lower is better. */
  readonly rank: number;
  /** Edits elsewhere in the text, applied when it is accepted. */
  readonly additionalTextEdits?: readonly {
    readonly start: number;
    readonly end: number;
    readonly newText: string;
  }[];
}

export interface ProposalList {
  readonly items: readonly Proposal[];
  /** False if there are more than fit; further typing shows them. */
  readonly isComplete: boolean;
}
