# The manual page and the shell completions, written by the command itself so that they cannot fall behind it.
set(manual_dir ${CMAKE_CURRENT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_dir})
foreach(part "spicymkl.1=man" "spicymkl.bash=completion bash" "_spicymkl=completion zsh")
  string(REGEX REPLACE "=.*" "" file "${part}")
  string(REGEX REPLACE ".*=" "" arguments "${part}")
  separate_arguments(arguments)
  add_custom_command(OUTPUT ${manual_dir}/${file} DEPENDS spicymkl_cli VERBATIM
                     COMMAND $<TARGET_FILE:spicymkl_cli> ${arguments} > ${manual_dir}/${file})
  list(APPEND manual_files ${manual_dir}/${file})
endforeach()
add_custom_target(spicymkl_manual ALL DEPENDS ${manual_files})

# zsh of Debian looks for completions of packages in a folder of its own.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
else()
  set(zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
install(FILES ${manual_dir}/spicymkl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
install(FILES ${manual_dir}/spicymkl.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME spicymkl COMPONENT command)
install(FILES ${manual_dir}/_spicymkl DESTINATION ${zsh_dir} COMPONENT command)
