import type { Capability, Sensitivity } from '../core/capabilities.js';
import type { PrimitiveKind } from '../core/ports.js';

/**
 * What may be done. Tools, resources and prompts are named by globs: `*` is any text, `?` one character, `[abc]` and
 * `[!abc]` one of a set or none of it, and a leading `!` takes out what it matches. Names are those before a layer's
 * prefix; resources are matched by their URI, and templates by their text.
 */
export interface AccessKeys {
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
  readonly allowResources?: readonly string[];
  readonly denyResources?: readonly string[];
  readonly allowPrompts?: readonly string[];
  readonly denyPrompts?: readonly string[];
  readonly allowCategories?: readonly string[];
  readonly denyCategories?: readonly string[];
  readonly allowCapabilities?: readonly Capability[];
  readonly denyCapabilities?: readonly Capability[];
  /** What is more sensitive is denied. */
  readonly maxSensitivity?: Sensitivity;
}

/** When a rule matches: every condition that is there must hold, and an empty list holds for all. */
export interface RuleMatch {
  /** The caller has one of these roles. */
  readonly roles?: readonly string[];
  /** Globs for the id of the caller. */
  readonly principals?: readonly string[];
  /** Globs for what is asked for: the name of a tool or prompt, the URI of a resource, the text of a template. */
  readonly names?: readonly string[];
  readonly categories?: readonly string[];
  /** It has one of these tags. */
  readonly tags?: readonly string[];
  readonly kinds?: readonly PrimitiveKind[];
  /** It is one of these. */
  readonly sensitivity?: readonly Sensitivity[];
  /** It has one of these capabilities. */
  readonly capabilities?: readonly Capability[];
}

/** How often something may be done: a bucket that holds `burst` tokens when it is full and gets `rate` of them back `per` so long. */
export interface RateLimitRule {
  /** Names it in refusals and in a shared store. Default: what it says, in short. */
  readonly name?: string;
  /** Above 0; it may be a fraction. */
  readonly rate: number;
  readonly per: 'second' | 'minute' | 'hour' | 'day';
  /** At least 1. Default: `rate`, rounded up. */
  readonly burst?: number;
  /** Who and what share a bucket. Default: `principal`. */
  readonly scope?: 'principal' | 'tool' | 'principal_tool' | 'global';
  /** Globs for the names, URIs or template texts that it holds for. Default: all. */
  readonly tools?: readonly string[];
  /** Default: `['tool']`. */
  readonly kinds?: readonly PrimitiveKind[];
}

/** What holds where `match` does: of a deny it is the last word; an allow or a ceiling of its own goes before the policy's. */
export interface PolicyRule extends AccessKeys {
  /** Names it in reasons. */
  readonly name?: string;
  /** Default: everything and everybody. */
  readonly match?: RuleMatch;
  readonly rateLimits?: readonly RateLimitRule[];
}

/** A policy as it is written: in YAML, in JSON, or as an object. */
export interface PolicyDocument extends AccessKeys {
  /** Names it in refusals and in the log. Default: the name of its file, else `policy`. */
  readonly name?: string;
  readonly description?: string;
  /** The path of the document that this one builds on, from the folder of its own file. */
  readonly extends?: string;
  /**
   * Whether what is denied looks as if it were not there: it is in no list, and a call is answered as one of a name that
   * nothing has. Otherwise it is listed, and a call is refused with the reason. Default: true.
   */
  readonly hideDenied?: boolean;
  /** Whether the decision log keeps every call. Default: false; it keeps refusals, limits, and what can `reveal`. */
  readonly audit?: boolean;
  /** How many entries the decision log holds; the oldest go. Default: 1,000. */
  readonly auditSize?: number;
  /** Rules for callers of one role, by its name. They come before `rules`. */
  readonly roles?: Readonly<Record<string, Omit<PolicyRule, 'name'>>>;
  readonly rules?: readonly PolicyRule[];
  readonly rateLimits?: readonly RateLimitRule[];
}
