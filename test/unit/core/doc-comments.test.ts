import { docComment, docComments } from '../../../src/core/doc-comments.js';

class Base {
  /** How many there are. */
  limit = 10;

  /** Says hello. */
  greet(): string {
    return 'hello';
  }
}

class Derived extends Base {
  /**
   * Says good evening,
   * politely.
   *
   * @param name Whom.
   */
  override greet(name = 'you'): string {
    return `good evening ${name}`;
  }

  /** A width. */
  get width(): number {
    return 1;
  }

  // A line comment is not a doc comment.
  plain(): void {}

  /** A static member belongs to nobody. */
  static shared(): void {}
}

describe('doc comments', () => {
  test('methods, accessors and initialised fields carry theirs; line comments and statics do not', () => {
    expect([...docComments(Base).members]).toEqual(
      expect.arrayContaining([
        ['limit', 'How many there are.'],
        ['greet', 'Says hello.'],
      ]),
    );
    expect([...docComments(Derived).members.keys()]).toEqual(['greet', 'width']);
  });

  test('a line comment between a doc comment and its member takes nothing away', () => {
    class Noted {
      /** Counts. */
      // What follows is about something else.

      // and a word more
      count(): number {
        return 1;
      }

      /** Of nothing: */
      other = 1;
      bare(): void {}
    }
    expect([...docComments(Noted).members]).toEqual([
      ['count', 'Counts.'],
      ['other', 'Of nothing:'],
    ]);
  });

  test('a comment loses its stars and the breaks inside its paragraphs, and ends before the first tag', () => {
    expect(docComments(Derived).members.get('greet')).toBe('Says good evening, politely.');
  });

  test('paragraphs, lists and code keep their lines', () => {
    class Guide {
      /**
       * First, on
       * two lines.
       *
       * - one,
       *   and more of it
       * - two
       *
       * ```
       * a
       * b
       * ```
       * Last.
       */
      help(): void {}
    }
    expect(docComment(Guide, 'help')).toBe(
      'First, on two lines.\n\n- one, and more of it\n- two\n\n```\na\nb\n```\nLast.',
    );
  });

  test('a member without a comment of its own has its ancestor’s', () => {
    expect(docComment(Derived, 'limit')).toBe('How many there are.');
    expect(docComment(Derived, 'greet')).toContain('good evening');
    expect(docComment(Derived, 'missing')).toBeUndefined();
  });

  test('a class is read once, and a native function has none', () => {
    expect(docComments(Derived)).toBe(docComments(Derived));
    expect(docComments(Date).members.size).toBe(0);
    expect(
      docComments(
        class Fields {
          /** One. */ 'quoted-name' = 1;
        },
      ).members.size,
    ).toBeLessThanOrEqual(1);
  });
});

/** What a transpiler leaves of a class: fields are set in its constructor. */
class Lowered {
  constructor() {
    /** By its name. */
    (this as any).plain = 1;
    /** By a text. */
    (this as any)['quoted-name'] = 2;
    const key = 'computed';
    /** By a variable: nobody knows its name. */
    (this as any)[key] = 3;
    /** Of another object. */
    (globalThis as any).name = 'x';
    /** Of nothing. */
    docComments(Date);
  }

  /** By its text. */
  'a-method'(): void {}

  /** Nobody outside sees it. */
  #hidden(): void {}

  /** The one of this name that is seen. */
  hidden(): void {
    this.#hidden();
  }

  /** By an expression. */
  [Symbol.iterator](): void {}
}

test('fields that a constructor sets carry their comments by the name they are set with', () => {
  expect(Object.fromEntries(docComments(Lowered).members)).toEqual({
    plain: 'By its name.',
    'quoted-name': 'By a text.',
    'a-method': 'By its text.',
    hidden: 'The one of this name that is seen.',
  });
});
