import type { Model } from '../../viewpoints/model.ts';

/** Somebody or something that a document may name: what is written, and what a person calls it. */
export interface NamedEntity {
  readonly value: string;
  readonly label?: string;
  /** What is written is an identifier, not a name. */
  readonly isId?: true;
}

/** What is known of the instance and of the datamodel that a document is about. */
export interface LanguageContext {
  readonly model: Model;
  /** What was seen on the instance; nothing lists it (spec, "ViewpointVisibility"). */
  readonly seen: {
    readonly apps: readonly NamedEntity[];
    readonly groups: readonly NamedEntity[];
    readonly users: readonly NamedEntity[];
    readonly datamodels: readonly {
      readonly title: string;
      readonly isLive: boolean;
      readonly server: string;
    }[];
    /** Members that rules of a column have. */
    members(table: string, column: string): readonly string[];
  };
}

export type ProposalKind = 'table' | 'column' | 'value' | 'snippet' | 'person';

/** Something that can be typed at a place. */
export interface Proposal {
  readonly label: string;
  readonly kind: ProposalKind;
  readonly detail?: string;
  /** What is matched against what was typed. */
  readonly filterText: string;
  /** JSON to insert; with places to type at when `isSnippet`. */
  readonly insertText: string;
  readonly isSnippet?: boolean;
  readonly start: number;
  readonly end: number;
  /** The better ones are smaller. */
  readonly rank: number;
  /** What changes elsewhere in the text when it is accepted. */
  readonly additionalTextEdits?: readonly {
    readonly start: number;
    readonly end: number;
    readonly newText: string;
  }[];
}

export interface ProposalList {
  readonly items: readonly Proposal[];
  /** False when there are more than fit; further typing shows them. */
  readonly isComplete: boolean;
}
