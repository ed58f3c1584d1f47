// What elements do that markup alone cannot say.

import type { Attachment } from "svelte/attachments";

/** A scrolled region is reached by the keyboard like everything else. */
export const reachable: Attachment<HTMLElement> = (element) => {
  element.tabIndex = 0;
};

/**
 * The options of a list whose keys are heard by the field that owns it: a press on one picks it, and the field keeps
 * the focus.
 */
export function picks(pick: (n: number) => void): Attachment<HTMLElement> {
  return (list) => {
    const at = (event: Event): number => {
      const { target } = event;
      return target instanceof Element ? [...list.children].findIndex((option) => option.contains(target)) : -1;
    };
    const stay = (event: Event): void => event.preventDefault();
    const pressed = (event: Event): void => {
      const n = at(event);
      if (n >= 0) pick(n);
    };
    list.addEventListener("pointerdown", stay);
    list.addEventListener("click", pressed);
    return () => {
      list.removeEventListener("pointerdown", stay);
      list.removeEventListener("click", pressed);
    };
  };
}
