import "virtual:themes.css";
import "./themes/base.css";
import { mount } from "svelte";
import Root from "./views/Root.svelte";

const target = document.getElementById("app");
if (target) mount(Root, { target });
