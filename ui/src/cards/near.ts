// Which cards are near what is in sight. The others keep their place and their name, and build nothing inside.

/** How far around what is in sight a card is built: a screen or so, so that scrolling meets none that is not. */
const AROUND = "1000px";

type Told = (isNear: boolean) => void;

const watched = new Map<Element, Told>();
let watcher: IntersectionObserver | null = null;

/** Where a browser does not tell, every card counts as near. */
export const isTold = typeof IntersectionObserver !== "undefined";

function begun(): IntersectionObserver {
  const all = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
  };
  // On paper all of it is in sight.
  addEventListener("beforeprint", () => {
    for (const told of watched.values()) told(true);
  });
  // Without `scrollMargin` (Intersection Observer, 2.2), which the compiler does not know yet, cards are built once they are in sight.
  const around: IntersectionObserverInit & { readonly scrollMargin: string } = { rootMargin: AROUND, scrollMargin: AROUND };
  return new IntersectionObserver(all, around);
}

/** Tells whether an element is near what is in sight, now and whenever that changes. */
export function near(element: Element, told: Told): () => void {
  if (!isTold) return () => undefined;
  watcher ??= begun();
  watched.set(element, told);
  watcher.observe(element);
  return () => {
    watched.delete(element);
    watcher?.unobserve(element);
  };
}
