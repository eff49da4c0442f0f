import { type Content, isContent, TextContent, type Wire } from './content.js';

const MESSAGE_BRAND = Symbol.for('cartouche.prompt-message');
const RESULT_BRAND = Symbol.for('cartouche.prompt-result');

/** One message of a prompt. */
export class PromptMessage {
  readonly [MESSAGE_BRAND] = true;
  readonly role: 'user' | 'assistant';
  readonly content: Content;

  /** @param content A content object, or text. */
  constructor(role: 'user' | 'assistant', content: Content | string) {
    this.role = role;
    this.content = isContent(content) ? content : new TextContent(content);
  }

  static user(content: Content | string): PromptMessage {
    return new PromptMessage('user', content);
  }

  static assistant(content: Content | string): PromptMessage {
    return new PromptMessage('assistant', content);
  }

  toWire(): Wire {
    return { role: this.role, content: this.content.toWire() };
  }
}

/** What a prompt answers. */
export class PromptResult {
  readonly [RESULT_BRAND] = true;
  readonly messages: readonly PromptMessage[];
  readonly description: string | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(
    messages: readonly PromptMessage[],
    options: {
      readonly description?: string | undefined;
      readonly meta?: Readonly<Record<string, unknown>> | undefined;
    } = {},
  ) {
    this.messages = messages;
    this.description = options.description;
    this.meta = options.meta;
  }

  toWire(): Wire {
    return {
      ...(this.description === undefined ? {} : { description: this.description }),
      messages: this.messages.map((message) => message.toWire()),
      ...(this.meta === undefined ? {} : { _meta: this.meta }),
    };
  }
}

/** Whether `value` is a prompt message of ours, from whichever loaded copy of this package. */
export function isPromptMessage(value: unknown): value is PromptMessage {
  return typeof value === 'object' && value !== null && MESSAGE_BRAND in value;
}

/** Whether `value` is a prompt result of ours, from whichever loaded copy of this package. */
export function isPromptResult(value: unknown): value is PromptResult {
  return typeof value === 'object' && value !== null && RESULT_BRAND in value;
}
