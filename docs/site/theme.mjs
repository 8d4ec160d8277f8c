// VitePress's theme, which also draws the Mermaid diagrams that GitHub draws in the Markdown files.
import DefaultTheme from 'vitepress/theme'
import './theme.css'
import { nextTick, onMounted, watch } from 'vue'
import { useData, useRoute } from 'vitepress'

async function draw(dark) {
  const blocks = [...document.querySelectorAll('div.language-mermaid')]
  if (blocks.length === 0) {
    return
  }
  const { default: mermaid } = await import('mermaid')
  mermaid.initialize({ startOnLoad: false, theme: dark ? 'dark' : 'default' })
  for (const block of blocks) {
    const source = block.querySelector('code').textContent
    const { svg } = await mermaid.render(`diagram-${blocks.indexOf(block)}`, source)
    const figure = document.createElement('figure')
    figure.innerHTML = svg
    block.replaceWith(figure)
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    const { isDark } = useData()
    const redraw = () => nextTick(() => draw(isDark.value))
    onMounted(redraw)
    watch(() => route.path, redraw)
  },
}
