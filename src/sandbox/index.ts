// The sandbox wing and its only door: what a staging process has beside the product. Production
// loads none of it. [G-04]
import * as product from '../catalogue.ts';
import type { RefusalSpec } from '../core/refusal.ts';
import type { DomainOperation, Module } from '../product/context.ts';
import { moduleOf as explain } from '../product/tell/explain/module.ts';
import type { WrappedColumn } from '../providers/keys/versions.ts';
import { module as clock } from './clock/module.ts';
import { module as control } from './control/module.ts';
import { module as counterparty } from './counterparty/module.ts';
import { module as mail } from './mail/module.ts';
import { inSnapshots } from './workspace/index.ts';
import { module as workspace } from './workspace/module.ts';
export { startSandbox } from './start.ts';
export type { Sandbox } from './start.ts';
export { prepareStorage, rememberBeginning } from './workspace/index.ts';

/** In the order in which their operations are documented. */
const own: readonly Module[] = [
  ...[control, counterparty, mail, clock, workspace],
  explain(product.machines),
];

/** The catalogue of a staging process, where it differs from the product's. */
export const modules: readonly Module[] = [...product.modules, ...own];
export const operations: readonly DomainOperation[] = [
  ...product.operations,
  ...own.flatMap((module) => module.operations ?? []),
];
export const refusals: readonly RefusalSpec[] = [
  ...product.refusals,
  ...own.flatMap((module) => Object.values(module.refusals ?? {})),
];
export const wrappedColumns: readonly WrappedColumn[] = [
  ...product.wrappedColumns,
  ...inSnapshots(product.wrappedColumns),
];
