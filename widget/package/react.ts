'use client';
// `@holdfast/widget/react`: one flow of the widget as a component of React 18 and later.
import { createElement, useEffect, useId, useRef, type ReactElement } from 'react';
import { loadWidget, type FlowName, type FlowOptions, type Handle } from './index.ts';
import type { WidgetScript } from './index.ts';

/** A flow and where its script comes from. */
export interface HoldfastFlowProps<Flow extends FlowName> extends FlowOptions<Flow> {
  readonly script: WidgetScript;
  readonly className?: string | undefined;
}

/**
 * Shows a flow. A new `flow`, `redirect` or address of the script starts anew; other props of a
 * running flow change its callbacks only. If the script does not load, `onError` receives
 * `SCRIPT_NOT_LOADED`. Removing the component ends the flow without a result.
 */
export function HoldfastFlow<Flow extends FlowName>(props: HoldfastFlowProps<Flow>): ReactElement {
  const { flow, script, redirect, className } = props;
  const link = typeof redirect === 'string' ? redirect : redirect.url;
  const { src, integrity, nonce } = script;
  const rootId = useId();
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    let handle: Handle | null = null;
    let gone = false;
    const now = (): HoldfastFlowProps<Flow> => latest.current;
    // Always a moment later: what is mounted twice, as in strict mode, begins once.
    loadWidget({ src, integrity, nonce }).then(
      (widget) => {
        if (gone) return;
        const { flowConfig, theme, dir, debug } = now();
        handle = widget.execute({
          ...{ rootId, flow, redirect: link, flowConfig, theme, dir, debug },
          onComplete: (result) => now().onComplete(result),
          onError: (error) => now().onError(error),
          onReady: (ready) => now().onReady?.(ready),
        });
      },
      ({ message }: Error) => {
        const told = { source: 'holdfast', event: `holdfast.${flow}.error` };
        if (!gone) now().onError({ ...told, code: 'SCRIPT_NOT_LOADED', message });
      },
    );
    return () => {
      gone = true;
      handle?.close();
    };
  }, [rootId, flow, link, src, integrity, nonce]);
  return createElement('div', { id: rootId, className });
}
