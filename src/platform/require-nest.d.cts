/** Loads what `cartouche/nest` needs of Nest, in either module format. */
export declare const requireNest: () => Pick<typeof import('@nestjs/core'), 'ContextIdFactory'>;
