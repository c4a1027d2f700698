// The adapter of Stripe against a server shaped as Stripe describes its own: the processor's
// contract suite, and what is Stripe's alone.
import { processorContract } from '../processor/processor.contract.ts';
import { declareWaiting } from '../waiting.contract.ts';
import { stripeBench } from '../../../test/kit/stripe/bench.ts';

processorContract('Stripe', stripeBench, declareWaiting);
