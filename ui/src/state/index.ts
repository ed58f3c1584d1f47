export * from "./types";
export { isOver, newCall } from "./call";
export { newSession, reduce, reduceAll } from "./session";
export { planOf, type Step } from "./plan";
export { lastSay, openApprovals, type Asking } from "./select";
export { standing, type Standing, type Status } from "./status";
